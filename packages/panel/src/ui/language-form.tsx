import type { PanelContext } from '../env.ts';
import { chosenLanguage, languageNames } from '../language/language.ts';
import { useTexts } from '../language/use-texts.ts';
import { CsrfField } from './form.tsx';
import { uiTexts } from './texts/index.ts';

/** Chooses the language of this browser. `back`: the path to return to. */
export function LanguageForm({ c, back }: { c: PanelContext; back: string }) {
  const texts = useTexts(uiTexts);
  const chosen = chosenLanguage(c);
  return (
    <form method="post" action="/language" class="themes" aria-label={texts.language}>
      <CsrfField c={c} />
      <input type="hidden" name="back" value={back} />
      <button
        type="submit"
        name="language"
        value="browser"
        aria-pressed={chosen === undefined ? 'true' : 'false'}
      >
        {texts.languageOfBrowser}
      </button>
      {Object.entries(languageNames).map(([code, name]) => (
        <button
          type="submit"
          name="language"
          value={code}
          lang={code}
          aria-pressed={code === chosen ? 'true' : 'false'}
        >
          {name}
        </button>
      ))}
    </form>
  );
}
