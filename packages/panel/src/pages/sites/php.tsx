import { phpNumberNames, phpTimeZones } from '@innkeeper/domain';
import type { SitePhpView } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { ButtonForm, CheckField, freshForm, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { Card } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';
import { Section } from './site-settings.tsx';
import { siteTexts } from './texts/index.ts';

/** The settings of PHP of a site that runs it. */
export function SitePhp({
  c,
  domain: { id },
  refusedAs,
  php: { settings, defaults, highest },
}: SiteParts & { php: SitePhpView }) {
  const texts = useTexts(siteTexts).php;
  const set = phpNumberNames.map((name) => [name, settings[name] === null ? '' : String(settings[name])]);
  const isSet = Object.values(settings).some((value) => value !== null && value !== false);
  const state =
    refusedAs('php') ??
    freshForm({
      ...Object.fromEntries(set),
      display_errors: settings.display_errors ? '1' : '',
      time_zone: settings.time_zone ?? '',
    });
  return (
    <Card title={texts.title} id="php">
      <Section
        title={texts.settings}
        now={isSet ? texts.changed : texts.defaults}
        isOpen={refusedAs('php') !== undefined}
      >
        <p class="muted">{texts.about}</p>
        <PostForm c={c} action={`/sites/${id}/php`} state={state} submit={texts.save}>
          {phpNumberNames.map((name) => (
            <TextField
              state={state}
              name={name}
              label={texts.labels[name]}
              hint={texts.hint(defaults[name], highest[name])}
              attributes={{ placeholder: String(defaults[name]), inputmode: 'numeric', autocomplete: 'off' }}
            />
          ))}
          <SelectField
            state={state}
            name="time_zone"
            label={texts.timeZone}
            options={[['', texts.serverZone], ...phpTimeZones.map((zone) => [zone, zone] as const)]}
          />
          {highest.display_errors || settings.display_errors ? (
            <CheckField
              state={state}
              name="display_errors"
              label={texts.displayErrors}
              hint={texts.displayErrorsHint}
            />
          ) : null}
        </PostForm>
      </Section>
      <Section title={texts.cache} now="" isOpen={false}>
        <p class="muted">{texts.cacheAbout}</p>
        <ButtonForm c={c} action={`/sites/${id}/php-cache`} submit={texts.emptyCache} />
      </Section>
    </Card>
  );
}
