import { DomainError } from '@innkeeper/domain';
import {
  type AccountSearch,
  changeManyAccounts,
  countAccounts,
  listPackages,
  type ManyChange,
  type OperatorContext,
  searchAccounts,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { numberOf, type Refused, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { freshForm, PostForm, SelectField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { filtersIn, filtersOf, searchOf } from './accounts-query.ts';
import { ReasonField } from './end-pages.tsx';
import { type ManyKind, manyPath } from './many-kinds.ts';
import { accountTexts } from './texts/index.ts';

const SHOWN = 20;
/** A page of the list has fewer. */
const MOST_IDS = 1_000;

/** Asks before several accounts change: which ones, how many, and what is needed for it. */
export async function manyPage(c: PanelContext, kind: ManyKind, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, accountTexts);
  const sent = refused?.values ?? sentByList(c);
  const accounts = await chosenBy(ctx, sent, texts.tooManyFound);
  const [total, { items }, packages] = await Promise.all([
    countAccounts(ctx, accounts),
    searchAccounts(ctx, { ...accounts, page: 1, per_page: SHOWN }),
    kind === 'change-package' ? listPackages(ctx) : [],
  ]);
  return page(
    c,
    {
      title: texts.many[kind].title,
      above: [{ name: texts.accounts, path: '/accounts' }],
      status: refused?.status ?? 200,
    },
    total === 0 ? (
      <Empty>
        {texts.noneSelected} <a href="/accounts">{texts.toList}</a>
      </Empty>
    ) : (
      <Ask
        c={c}
        kind={kind}
        sent={sent}
        refused={refused}
        total={total}
        names={items.map(({ username }) => username)}
        packages={packages}
      />
    ),
  );
}

interface AskProps {
  c: PanelContext;
  kind: ManyKind;
  sent: Form;
  refused: Refused | undefined;
  total: number;
  names: readonly string[];
  packages: readonly { id: number; name: string }[];
}

function Ask({ c, kind, sent, refused, total, names, packages }: AskProps) {
  const texts = useTexts(accountTexts);
  const formats = useFormats();
  const words = texts.many[kind];
  const state = refused ?? freshForm();
  const more = total - names.length;
  return (
    <Card title={texts.countOf(formats.number(total), total === 1)}>
      <p>
        {names.join(', ')}
        {more > 0 ? ` ${texts.andMore(formats.number(more))}` : null}
      </p>
      <p class="muted">{words.effect}</p>
      <PostForm
        c={c}
        action={manyPath(kind)}
        state={state}
        submit={words.submit(formats.number(total), total === 1)}
        danger={kind === 'suspend'}
      >
        {idsIn(sent).map((id) => (
          <input type="hidden" name="ids[]" value={String(id)} />
        ))}
        {textOf(sent, 'all') === '1' ? <input type="hidden" name="all" value="1" /> : null}
        {Object.entries(filtersOf(filtersIn(sent))).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {kind === 'suspend' ? <ReasonField state={state} /> : null}
        {kind === 'change-package' ? (
          <SelectField
            state={state}
            name="package_id"
            label={texts.newPackage}
            hint={texts.newPackageHint}
            options={packages.map(({ id, name }) => [String(id), name] as const)}
          />
        ) : null}
      </PostForm>
    </Card>
  );
}

/** Begins the change and opens the page of its progress. */
export async function changeMany(c: PanelContext, kind: ManyKind): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, accountTexts);
  const accounts = await chosenBy(ctx, c.var.form, texts.tooManyFound);
  const { bulk_change_id, total } = await changeManyAccounts(ctx, {
    change: changeOf(kind, c.var.form),
    accounts,
  });
  return goToWithNotice(c, `/changes/${bulk_change_id}`, texts.begun(total));
}

function changeOf(kind: ManyKind, form: Form): ManyChange {
  if (kind === 'suspend') return { action: kind, reason: textOf(form, 'reason') };
  if (kind === 'unsuspend') return { action: kind };
  const package_id = numberOf(form, 'package_id');
  return { action: kind, package_id: Number.isNaN(package_id) ? 0 : package_id };
}

/** The list sends its checkboxes and its filters in the address, the form as fields of the same names. */
function sentByList(c: PanelContext): Form {
  return { ...c.req.query(), ids: c.req.queries('ids') ?? [] };
}

function idsIn(form: Form): number[] {
  const { ids } = form;
  const texts: unknown[] = Array.isArray(ids) ? ids : [ids];
  const valid = texts.filter((id): id is string => typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id));
  return [...new Set(valid.map(Number))].slice(0, MOST_IDS);
}

/**
 * The selected accounts, or with `all` those that match the filters of the list. A search text finds accounts at this
 * moment. Throws `invalid` with `tooMany` if it finds more than a list shows.
 */
async function chosenBy(
  ctx: OperatorContext,
  form: Form,
  tooMany: string,
): Promise<Omit<AccountSearch, 'text' | 'order' | 'page' | 'per_page'>> {
  if (textOf(form, 'all') !== '1') return { ids: idsIn(form) };
  const search = searchOf({ ...filtersIn(form), sort: '', more: false, page: 1, rows: SHOWN });
  if (search === undefined) return { ids: [] };
  const { text, order: _, page: _page, per_page: _size, ...choice } = search;
  if (text === undefined || text === '') return choice;
  const { items, has_more } = await searchAccounts(ctx, search);
  if (has_more) throw new DomainError('invalid', tooMany);
  return { ids: items.map(({ id }) => id) };
}
