import type { FirstSteps } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/parts.tsx';
import { overviewTexts } from './texts/index.ts';

/** The steps in the order in which they build on each other, and where each is done. */
const steps = [
  ['server', '/nodes/new'],
  ['package', '/packages/new'],
  ['account', '/accounts/new'],
  ['second_factor', '/security/two-factor'],
  ['mail', '/mail'],
  ['token', '/security/tokens'],
] as const satisfies [keyof FirstSteps, string][];

/** What is left to do on a new installation. It goes when everything that is not optional is done. */
export function FirstStepsCard({ done }: { done: FirstSteps }) {
  const texts = useTexts(overviewTexts);
  if (done.is_ready) return null;
  const next = steps.find(([step]) => !done[step]);
  return (
    <Card title={texts.firstSteps}>
      <ul class="steps first-steps">
        {steps.map(([step, path]) => {
          const { name, about } = texts.steps[step];
          return (
            <li class={done[step] ? 'is-good' : undefined}>
              <Icon name={done[step] ? 'good' : 'circle'} />
              <div>
                {done[step] ? (
                  <b>
                    {name} <span class="sr">{texts.stepDone}</span>
                  </b>
                ) : (
                  <a href={path}>
                    <b>{name}</b>
                  </a>
                )}
                <p>{about}</p>
              </div>
              {step === next?.[0] ? (
                <a class="btn btn-small btn-primary" href={path} aria-label={name}>
                  {texts.begin}
                </a>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
