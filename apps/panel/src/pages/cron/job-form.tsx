import {
  CRON_COMMAND_MAX_CHARACTERS,
  CRON_JOB_NAME_MAX_CHARACTERS,
  CRON_SCHEDULE_MAX_CHARACTERS,
} from '@innkeeper/domain';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { type FormState, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { SaidSchedule, type ServerClock } from './said-schedule.tsx';
import { commonSchedules } from './schedule-words.ts';

/** A schedule that is chosen goes before one that is typed. */
export function chosenSchedule(form: Form): string {
  return textOf(form, 'common') || textOf(form, 'schedule');
}

/** With a script what is chosen or typed is said at once, without one when the form comes back. */
const preview = {
  'hx-get': '/cron/preview',
  'hx-include': '#field-common, #field-schedule',
  'hx-target': '#said',
  'hx-sync': '#said:replace',
};
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
  /** Left out where the schedule is said elsewhere on the page already. */
  clock: ServerClock | undefined;
}) {
  return (
    <PostForm c={c} action={action} state={state} submit={submit}>
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="What you call it. May be left empty."
        attributes={{ maxlength: CRON_JOB_NAME_MAX_CHARACTERS, autocomplete: 'off' }}
      />
      <SelectField
        state={state}
        name="common"
        label="When"
        options={[['', 'By the schedule below'], ...commonSchedules]}
        attributes={{ ...preview, 'hx-trigger': 'change' }}
      />
      <TextField
        state={state}
        name="schedule"
        label="Schedule"
        hint="Minute, hour, day of the month, month and weekday, with a space between them; * is every one. 30 4 * * 1 is Monday at 04:30. Or a word such as @daily."
        attributes={{
          ...machineText,
          maxlength: CRON_SCHEDULE_MAX_CHARACTERS,
          ...preview,
          'hx-trigger': 'input changed delay:400ms',
        }}
      />
      <div id="said" aria-live="polite">
        {clock === undefined ? null : <SaidSchedule schedule={chosenSchedule(state.values)} clock={clock} />}
      </div>
      <TextField
        state={state}
        name="command"
        label="Command"
        hint="One command, run in your home folder as your own user. Chains (; | &), su and sudo are refused: put what takes more into a script of yours and run that. What it prints is kept in the folder logs."
        attributes={{ ...machineText, maxlength: CRON_COMMAND_MAX_CHARACTERS, required: true }}
      />
    </PostForm>
  );
}
