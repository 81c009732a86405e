import { mailLimits } from '@innkeeper/domain';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { type FormState, TextField } from '../../ui/form.tsx';
import { packageTexts } from './texts/index.ts';

/** The limits of mail of a package. */
export function MailFields({ state }: { state: FormState }) {
  const texts = useTexts(packageTexts);
  const { number } = useFormats();
  const attributes = { inputmode: 'numeric', autocomplete: 'off' };
  return (
    <div class="half">
      <TextField
        state={state}
        name="mail_per_hour"
        label={texts.mailPerHour}
        hint={texts.mailHint(number(mailLimits.mail_per_hour.max))}
        attributes={attributes}
      />
      <TextField
        state={state}
        name="mail_per_day"
        label={texts.mailPerDay}
        hint={texts.mailHint(number(mailLimits.mail_per_day.max))}
        attributes={attributes}
      />
    </div>
  );
}
