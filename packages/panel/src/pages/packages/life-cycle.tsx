import { listPackages, type OperatorContext, type OperatorPackageView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Confirm, type FormState, Refusal, SelectField } from '../../ui/form.tsx';
import { Card } from '../../ui/parts.tsx';
import { packageTexts } from './texts/index.ts';

/** The packages that the accounts of a package can be moved to. */
export async function targetsOf(ctx: OperatorContext, of: OperatorPackageView) {
  return of.accounts === 0 ? [] : (await listPackages(ctx)).filter(({ id }) => id !== of.id);
}

/** Retires, offers again and deletes a package. */
export function LifeCycle({
  c,
  details,
  targets,
  state,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  targets: Awaited<ReturnType<typeof targetsOf>>;
  state: FormState;
}) {
  const texts = useTexts(packageTexts);
  const path = `/packages/${details.id}`;
  return (
    <Card title={texts.lifeCycle}>
      <Refusal state={state} />
      <p class="muted">{details.is_active ? texts.retireHint : texts.isRetired}</p>
      {details.is_active ? (
        <ButtonForm c={c} action={`${path}/retire`} submit={texts.retire} />
      ) : (
        <ButtonForm c={c} action={`${path}/offer`} submit={texts.offer} />
      )}
      {details.accounts === 0 ? (
        <Confirm c={c} action={`${path}/delete`} ask={texts.delete} submit={texts.delete}>
          <p>{texts.deleteUnused}</p>
        </Confirm>
      ) : targets.length === 0 ? (
        <p class="muted">{texts.noTarget}</p>
      ) : (
        <Confirm
          c={c}
          action={`${path}/replace`}
          ask={texts.delete}
          submit={texts.moveAndDelete}
          open={state.errors.to_package_id !== undefined}
        >
          <p>{texts.deleteUsed}</p>
          <SelectField
            state={state}
            name="to_package_id"
            label={texts.target}
            options={targets.map(({ id, name }) => [String(id), name] as const)}
          />
        </Confirm>
      )}
    </Card>
  );
}

/** Takes the package from resellers that can sell it. */
export function Unassign({ c, details }: { c: PanelContext; details: OperatorPackageView }) {
  const texts = useTexts(packageTexts);
  return (
    <>
      {details.assigned_resellers.map((reseller) => (
        <ButtonForm
          c={c}
          action={`/packages/${details.id}/unassign`}
          submit={texts.unassign(reseller)}
          fields={{ reseller }}
        />
      ))}
    </>
  );
}
