import { type Found, searchPanel } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { render, useTexts } from '../../language/use-texts.ts';
import { freshForm, TextField } from '../../ui/form.tsx';
import { navigationOf } from '../../ui/navigation.ts';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { searchTexts } from './texts/index.ts';

const MAX_CHARACTERS = 100;
const LEAST_CHARACTERS = 2;

const pathOf: Readonly<Record<Found['kind'], (found: Found) => string>> = {
  account: ({ id }) => `/accounts/${id}`,
  app: ({ id }) => `/apps/${id}`,
  database: ({ id }) => `/databases/${id}`,
  node: ({ id }) => `/nodes/${id}`,
  package: ({ id }) => `/packages/${id}`,
  reseller: ({ name }) => `/resellers/${name}`,
  site: ({ id }) => `/sites/${id}`,
};

interface Result {
  kind: Found['kind'] | 'page';
  name: string;
  note: string | null;
  path: string;
}

export async function searchPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, searchTexts);
  const q = textOf(c);
  const results = await resultsFor(c, q);
  return page(
    c,
    { title: texts.title },
    <>
      <search>
        <form method="get" action="/search" class="toolbar">
          <TextField
            state={freshForm({ q })}
            name="q"
            type="search"
            label={texts.label}
            attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, autofocus: true }}
          />
          <button type="submit" class="btn btn-primary">
            {texts.title}
          </button>
        </form>
      </search>
      <Card title={texts.results}>
        <Results c={c} q={q} results={results} />
      </Card>
    </>,
  );
}

/** The results alone, for the dialog of the frame. */
export async function searchResults(c: PanelContext): Promise<Response> {
  const q = textOf(c);
  return c.html(render(c, <Results c={c} q={q} results={await resultsFor(c, q)} />));
}

function textOf(c: PanelContext): string {
  return (c.req.query('q') ?? '').trim().slice(0, MAX_CHARACTERS);
}

/** Places of the panel, then records. */
async function resultsFor(c: PanelContext, q: string): Promise<Result[]> {
  const role = c.var.signedInAs?.user.role;
  if (role === undefined || q.length < LEAST_CHARACTERS) return [];
  const { places } = textsFor(c, uiTexts);
  const wanted = q.toLowerCase();
  const pages = navigationOf(role)
    .flatMap((group) => group.places)
    .filter(({ name }) => places[name].toLowerCase().includes(wanted))
    .map(({ name, path }) => ({ kind: 'page' as const, name: places[name], note: null, path }));
  const ctx = role === 'user' ? customerContext(c) : operatorContext(c);
  const found = await searchPanel(ctx, { text: q });
  return [...pages, ...found.map((one) => ({ ...one, path: pathOf[one.kind](one) }))];
}

function Results({ c, q, results }: { c: PanelContext; q: string; results: readonly Result[] }) {
  const texts = useTexts(searchTexts);
  if (q.length < LEAST_CHARACTERS) return <p class="muted">{texts.tooShort}</p>;
  if (results.length === 0)
    return <Empty>{c.var.signedInAs?.user.role === 'user' ? texts.nothingOfCustomer : texts.nothing}</Empty>;
  return (
    <ul class="found">
      {results.map(({ kind, name, note, path }) => (
        <li>
          <a href={path}>
            <b class="cut">{name}</b>
            <span class="muted cut">
              {note === null ? texts.kinds[kind] : `${texts.kinds[kind]} · ${note}`}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
