import { limitsInMib } from './limit-words.ts';

/**
 * Sentences of the REST API, the services and the agents in another language. The key is the English sentence with a name
 * for each variable part: `There is no account {id}.` A translation uses the same names, or is a function of the parts for
 * plural forms. The parts `{field}` and `{limit}` are replaced by their words, `{why}` and `{excess}` by the translations
 * of their phrases.
 */
export type Sentences = Readonly<Record<string, string | ((parts: Parts) => string)>>;

/** The texts of the variable parts. A part that the sentence does not have is empty. */
type Parts = (name: string) => string;

/** Sentences without parts, and templates. The most specific one is first: some match nearly every sentence. */
interface Lookup {
  whole: ReadonlyMap<string, string>;
  templates: readonly Template[];
}

interface Template {
  pattern: RegExp;
  translation: Sentences[string];
  /** Number of characters outside of the variable parts. */
  fixed: number;
}

/** Parts with numbers. Beside one of these fields and limits they are sizes in MiB. */
const AMOUNTS: ReadonlySet<string> = new Set(['count', 'left', 'max', 'min', 'size', 'taken']);
const IN_MIB: ReadonlySet<string> = new Set([
  ...limitsInMib,
  'memory limit mb',
  'memory mb',
  'MiB of disk',
  'upload mb',
]);

/** Parts that are translated, and what separates their phrases. */
const SEPARATORS: Readonly<Record<string, string>> = { why: '; ', excess: ', ' };

const BETWEEN_SENTENCES = /(?<=[.?!]) (?=[\p{Lu}"])/u;
/** The text of a part never begins another sentence. */
const TEXT = '(?:(?![.?!] [\\p{Lu}"]).)*?';
const PART = /\{(\w+)\}/g;
/** Characters with a meaning in a pattern. */
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** The translations of a language. */
interface Translations {
  sentences: Sentences;
  /** Texts of the parts `{why}` and `{excess}`, which can also be sentences. */
  phrases: Sentences;
  /** Text of the part `{field}`: the name of a field in the REST API, as words. */
  field: (name: string) => string;
  /** Text of the part `{limit}`: a limit within a phrase. */
  limit: (name: string) => string;
  /** Text of a size in MiB. */
  size: (mib: number) => string;
}

/** Finds the translation of a sentence. Returns the sentence itself if there is none. */
export class Catalogue {
  readonly #sentences: Lookup;
  readonly #phrases: Lookup;
  readonly #parts: Pick<Translations, 'field' | 'limit' | 'size'>;

  constructor({ sentences, phrases, ...parts }: Translations) {
    this.#sentences = lookupOf(sentences);
    this.#phrases = lookupOf(phrases);
    this.#parts = parts;
  }

  /** Several sentences in one text are translated one by one. Lines after the first are quoted from a log and stay. */
  translate(text: string): string {
    const [first = '', ...log] = text.split('\n');
    return [this.#translateEach(first.split(BETWEEN_SENTENCES)), ...log].join('\n');
  }

  /** A translation can be of several sentences, so the longest one counts that the text begins with. */
  #translateEach(pieces: readonly string[]): string {
    for (let count = pieces.length; count > 0; count -= 1) {
      const found =
        this.#find(pieces.slice(0, count).join(' '), this.#sentences) ??
        (count === 1 ? pieces[0] : undefined);
      if (found === undefined) continue;
      return count === pieces.length ? found : `${found} ${this.#translateEach(pieces.slice(count))}`;
    }
    return '';
  }

  #find(text: string, { whole, templates }: Lookup): string | undefined {
    const known = whole.get(text);
    if (known !== undefined) return known;
    for (const { pattern, translation } of templates) {
      const parts = pattern.exec(text)?.groups;
      if (parts === undefined) continue;
      const partNamed: Parts = (name) => this.#part(name, parts);
      return typeof translation === 'function'
        ? translation(partNamed)
        : translation.replaceAll(PART, (_, name: string) => partNamed(name));
    }
    return undefined;
  }

  #part(name: string, parts: Readonly<Record<string, string>>): string {
    const text = parts[name] ?? '';
    if (name === 'field' || name === 'limit') return this.#parts[name](text);
    if (AMOUNTS.has(name) && IN_MIB.has(parts.field ?? parts.limit ?? '') && /^\d+$/.test(text))
      return this.#parts.size(Number(text));
    const separator = SEPARATORS[name];
    if (separator === undefined) return text;
    return text
      .split(separator)
      .map((phrase) => this.#find(phrase, this.#phrases) ?? this.#find(phrase, this.#sentences) ?? phrase)
      .join(separator);
  }
}

function lookupOf(sentences: Sentences): Lookup {
  const whole = new Map<string, string>();
  const templates: Template[] = [];
  for (const [english, translation] of Object.entries(sentences)) {
    if (typeof translation === 'string' && !english.includes('{')) whole.set(english, translation);
    else templates.push(templateOf(english, translation));
  }
  templates.sort((one, other) => other.fixed - one.fixed);
  return { whole, templates };
}

function templateOf(english: string, translation: Sentences[string]): Template {
  const fixed = english.split(/\{\w+\}/);
  const names = [...english.matchAll(PART)].map(([, name]) => name);
  const source = fixed.map(
    (text, at) => text.replaceAll(SPECIAL, '\\$&') + (at < names.length ? `(?<${names[at]}>${TEXT})` : ''),
  );
  return {
    pattern: new RegExp(`^${source.join('')}$`, 'u'),
    translation,
    fixed: fixed.join('').length,
  };
}

/** The name of an environment variable whose field is `env.NAME`. */
export function variableOf(field: string): string | undefined {
  return field.startsWith('env.') ? field.slice('env.'.length) : undefined;
}
