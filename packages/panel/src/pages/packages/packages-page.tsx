import { isStaffRole } from '@innkeeper/domain';
import {
  listAllPackages,
  listPackagesOfReseller,
  type OperatorPackageView,
  type PackageView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ActionLink } from '../../ui/form.tsx';
import { type LimitName, limitNamed, limitText } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Table, Tag } from '../../ui/parts.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { packageTexts } from './texts/index.ts';

/** The limits that the list shows. */
const SHOWN = ['disk_mb', 'ram_mb', 'cpu_percent', 'max_domains', 'max_apps'] as const;

export async function packagesPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, packageTexts);
  const ctx = operatorContext(c);
  const isAdmin = isStaffRole(ctx.actor.role);
  const packages: (PackageView & Partial<OperatorPackageView>)[] = isAdmin
    ? await listAllPackages(ctx)
    : await listPackagesOfReseller(ctx);
  const create = (
    <ActionLink c={c} action="package.create" href="/packages/new" primary>
      {texts.create}
    </ActionLink>
  );
  return page(
    c,
    { title: texts.packages, actions: create },
    <Card title={texts.all}>
      {packages.length === 0 ? (
        <Empty>
          {texts.none} <a href="/packages/new">{texts.createFirst}</a>
        </Empty>
      ) : (
        <Table
          caption={texts.packages}
          headings={[
            texts.name,
            ...SHOWN.map((limit) => limitNamed(limit, textsFor(c, uiTexts)).label),
            ...(isAdmin ? [texts.owner, texts.accountCount] : []),
          ]}
          rows={packages.map((one) => [
            <>
              <a href={`/packages/${one.id}`}>{one.name}</a> <Marks of={one} />
            </>,
            ...SHOWN.map((limit) => <LimitText limit={limit} value={one[limit]} />),
            ...(isAdmin ? [one.owner ?? texts.provider, <Count of={one.accounts} />] : []),
          ])}
        />
      )}
    </Card>,
  );
}

function LimitText({ limit, value }: { limit: LimitName; value: number | null }) {
  return <>{limitText(limit, value)}</>;
}

function Count({ of }: { of: number | undefined }) {
  const { number } = useFormats();
  return <>{of === undefined ? '' : number(of)}</>;
}

function Marks({ of }: { of: PackageView & Partial<OperatorPackageView> }) {
  const texts = useTexts(packageTexts);
  return (
    <>
      {of.is_internal ? <Tag>{texts.internal}</Tag> : null}
      {of.is_active ? null : <Tag>{texts.notSold}</Tag>}
    </>
  );
}
