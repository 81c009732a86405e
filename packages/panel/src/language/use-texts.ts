import { type Child, createContext, useContext } from 'hono/jsx';
import { jsx } from 'hono/jsx/jsx-runtime';
import type { PanelContext } from '../env.ts';
import { type Formats, formats } from './formats.ts';
import { type Language, languageOf, type Texts } from './language.ts';
import { translate } from './sentences/translate.ts';

/** What a component knows of the reader. hono keeps the contexts of concurrent answers apart. */
const ReaderContext = createContext<{ language: Language; now: () => Date }>({
  language: 'en',
  now: () => new Date(),
});

/** Renders `content` as HTML in the language of the answer. Everything that calls `useTexts` is rendered by it. */
export function render(c: PanelContext, content: Child): string {
  const value = { language: languageOf(c), now: c.var.deps.now };
  return String(jsx(ReaderContext.Provider, { value, children: content }));
}

/** An area's texts in the language of the answer, for components. */
export function useTexts<T>(texts: Texts<T>): T {
  return texts[useContext(ReaderContext).language];
}

/** Translates sentences of services and hosting servers, for components. See `translate`. */
export function useTranslate(): (sentence: string) => string {
  const { language } = useContext(ReaderContext);
  return (sentence) => translate(language, sentence);
}

/** Numbers, sizes and times in the language of the answer, for components. */
export function useFormats(): Formats & { now: Date } {
  const { language, now } = useContext(ReaderContext);
  return { ...formats[language], now: now() };
}

/** The language of the answer, for components. */
export function useLanguage(): Language {
  return useContext(ReaderContext).language;
}
