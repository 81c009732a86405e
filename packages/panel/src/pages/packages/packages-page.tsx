import { isStaffRole } from '@innkeeper/domain';
import {
  listAllPackages,
  listPackagesOfReseller,
  type OperatorPackageView,
  type PackageView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { ActionLink } from '../../ui/form.tsx';
import { limitText } from '../../ui/limit-fields.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Table, Tag } from '../../ui/parts.tsx';

export async function packagesPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const isAdmin = isStaffRole(ctx.actor.role);
  const packages: (PackageView & Partial<OperatorPackageView>)[] = isAdmin
    ? await listAllPackages(ctx)
    : await listPackagesOfReseller(ctx);
  const create = (
    <ActionLink c={c} action="package.create" href="/packages/new" primary>
      Create a package
    </ActionLink>
  );
  return page(
    c,
    { title: 'Packages', actions: create },
    <Card title="All packages">
      {packages.length === 0 ? (
        <Empty>
          There is no package yet. A package is a set of limits for accounts.{' '}
          <a href="/packages/new">Create the first one</a>
        </Empty>
      ) : (
        <Table
          caption="Packages"
          headings={[
            'Name',
            'Disk space',
            'Memory',
            'CPU',
            'Domains',
            'Apps',
            ...(isAdmin ? ['Owner', 'Accounts'] : []),
          ]}
          rows={packages.map((one) => [
            <>
              <a href={`/packages/${one.id}`}>{one.name}</a> <Marks of={one} />
            </>,
            limitText('disk_mb', one.disk_mb),
            limitText('ram_mb', one.ram_mb),
            limitText('cpu_percent', one.cpu_percent),
            limitText('max_domains', one.max_domains),
            limitText('max_apps', one.max_apps),
            ...(isAdmin
              ? [one.owner ?? 'provider', one.accounts === undefined ? '' : numberText(one.accounts)]
              : []),
          ])}
        />
      )}
    </Card>,
  );
}

function Marks({ of }: { of: PackageView & Partial<OperatorPackageView> }) {
  return (
    <>
      {of.is_internal ? <Tag>internal</Tag> : null}
      {of.is_active ? null : <Tag>not sold</Tag>}
    </>
  );
}
