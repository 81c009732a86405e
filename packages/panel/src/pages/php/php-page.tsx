import { phpNumberNames, phpNumbers } from '@innkeeper/domain';
import { getPhpLimits } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { CheckField, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { phpTexts } from './texts/index.ts';

export async function phpPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, phpTexts);
  const { display_errors, ...numbers } = await getPhpLimits(operatorContext(c));
  const values = Object.fromEntries(phpNumberNames.map((name) => [name, String(numbers[name])]));
  const state = refused ?? freshForm({ ...values, display_errors: display_errors ? '1' : '' });
  return page(
    c,
    { title: texts.title, status: refused?.status ?? 200 },
    <>
      <p class="muted">{texts.about}</p>
      <Card title={texts.limits}>
        <PostForm c={c} action="/php" state={state} submit={texts.save}>
          {phpNumberNames.map((name) => (
            <TextField
              state={state}
              name={name}
              label={texts.labels[name]}
              hint={texts.bounds(phpNumbers[name].min, phpNumbers[name].max)}
              attributes={{ required: true, inputmode: 'numeric', autocomplete: 'off' }}
            />
          ))}
          <CheckField
            state={state}
            name="display_errors"
            label={texts.allowErrors}
            hint={texts.allowErrorsHint}
          />
        </PostForm>
      </Card>
    </>,
  );
}
