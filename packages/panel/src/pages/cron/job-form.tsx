import {
  CRON_COMMAND_MAX_CHARACTERS,
  CRON_JOB_NAME_MAX_CHARACTERS,
  CRON_SCHEDULE_MAX_CHARACTERS,
} from '@innkeeper/domain';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { type FormState, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { SchedulePreview, type ServerClock } from './schedule-preview.tsx';
import { commonSchedules } from './schedule-words.ts';

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
  return (
    <PostForm c={c} action={action} state={state} submit={submit}>
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="Optional. Name of the job in this panel."
        attributes={{ maxlength: CRON_JOB_NAME_MAX_CHARACTERS, autocomplete: 'off' }}
      />
      <SelectField
        state={state}
        name="common"
        label="When"
        options={[['', 'Custom schedule below'], ...commonSchedules]}
        attributes={preview}
      />
      <TextField
        state={state}
        name="schedule"
        label="Schedule"
        hint="Minute, hour, day of the month, month and weekday, separated by spaces. * means every value. Example: 30 4 * * 1 is Monday at 04:30. A name such as @daily also works."
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
        label="Command"
        hint="One command. It runs in your home folder as your own user. The panel refuses command chains (; | &), su and sudo: for more, write a script and run it. The server stores the output in the folder logs."
        attributes={{ ...machineText, maxlength: CRON_COMMAND_MAX_CHARACTERS, required: true }}
      />
    </PostForm>
  );
}
