import {
  CRON_COMMAND_MAX_CHARACTERS,
  CRON_JOB_NAME_MAX_CHARACTERS,
  CRON_SCHEDULE_MAX_CHARACTERS,
} from '@innkeeper/domain';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { SchedulePreview, type ServerClock } from './schedule-preview.tsx';
import { commonSchedules } from './schedule-words.ts';
import { cronTexts } from './texts/index.ts';

/** A selected schedule takes precedence over a typed one. */
export function chosenSchedule(form: Form): string {
  return textOf(form, 'common') || textOf(form, 'schedule');
}

/** With JavaScript the preview updates while the user types. Without it, it updates after a submit. */
const preview = { 'data-preview': '/cron/preview', 'data-shows': 'schedule-preview' };
const machineText = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };

/** The fields of a job. */
export function JobForm({
  c,
  action,
  submit,
  state,
  clock,
}: {
  c: PanelContext;
  action: string;
  submit: string;
  state: FormState;
  /** Undefined if the page already shows the schedule elsewhere. */
  clock: ServerClock | undefined;
}) {
  const texts = useTexts(cronTexts);
  return (
    <PostForm c={c} action={action} state={state} submit={submit}>
      <TextField
        state={state}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        attributes={{ maxlength: CRON_JOB_NAME_MAX_CHARACTERS, autocomplete: 'off' }}
      />
      <SelectField
        state={state}
        name="common"
        label={texts.when}
        options={[
          ['', texts.customBelow],
          ...commonSchedules.map(([common, words]) => [common, texts.common[words]] as const),
        ]}
        attributes={preview}
      />
      <TextField
        state={state}
        name="schedule"
        label={texts.schedule}
        hint={texts.scheduleHint}
        attributes={{
          ...machineText,
          maxlength: CRON_SCHEDULE_MAX_CHARACTERS,
          ...preview,
        }}
      />
      <div id="schedule-preview" aria-live="polite">
        {clock === undefined ? null : (
          <SchedulePreview schedule={chosenSchedule(state.values)} clock={clock} />
        )}
      </div>
      <TextField
        state={state}
        name="command"
        label={texts.command}
        hint={texts.commandHint}
        attributes={{ ...machineText, maxlength: CRON_COMMAND_MAX_CHARACTERS, required: true }}
      />
    </PostForm>
  );
}
