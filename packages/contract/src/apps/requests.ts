import { appStatuses } from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { optional, required } from '../fields/field.ts';
import { choice, integer, text } from '../fields/kinds.ts';
import { accountReference, ofAccountQuery } from '../record-references.ts';
import { environment } from './environment.ts';
import { gitSource } from './git-source.ts';

export const listAppsQuery = z.object({ ...ofAccountQuery, status: optional(choice(appStatuses)) });

export const createAppBody = z.object({
  ...accountReference,
  template_key: required(text({ max: 64 })),
  name: required(text({ max: 64 })),
  domain_id: optional(integer()),
  node_version: optional(text({ max: 8 })),
  start_command: optional(text({ max: 1_000 })),
  env: environment,
  git: gitSource,
});

export type NewApp = InputOf<typeof createAppBody>;

/**
 * A change of a program's settings: a form of the panel. A field that is left out keeps its value; `env` has the
 * variables that get a new one.
 */
export const appChangeBody = z.object({
  node_version: createAppBody.shape.node_version,
  start_command: createAppBody.shape.start_command,
  env: environment,
  git: gitSource,
});

export type AppChange = InputOf<typeof appChangeBody>;
