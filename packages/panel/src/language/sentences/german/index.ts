import { formats } from '../../formats.ts';
import { Catalogue, variableOf } from '../catalogue.ts';
import { accountPhrases, accountSentences } from './accounts.ts';
import { appPhrases, appSentences } from './apps.ts';
import { fields, words } from './fields.ts';
import { reasonSentences } from './reasons.ts';
import { serverSentences } from './servers.ts';
import { siteSentences } from './sites.ts';
import { userSentences } from './users.ts';

export const germanSentences = {
  ...fields,
  ...accountSentences,
  ...siteSentences,
  ...appSentences,
  ...userSentences,
  ...reasonSentences,
  ...serverSentences,
};

export const germanPhrases = { ...accountPhrases, ...appPhrases };

const wordOf = (name: string) => words[name] ?? variableOf(name) ?? name;

export const german = new Catalogue({
  sentences: germanSentences,
  phrases: germanPhrases,
  field: wordOf,
  limit: wordOf,
  size: formats.de.size,
});
