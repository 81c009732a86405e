import { expect, test } from 'vitest';
import { Catalogue } from './catalogue.ts';
import { translate } from './translate.ts';

const catalogue = new Catalogue({
  sentences: {
    'The disk is full.': 'Voll.',
    'There is no account {id}.': 'Kein Konto {id}.',
    'The {field} field is required.': '{field} fehlt.',
    'The {field} field {why}.': '{field} {why}.',
    '{count} {have} no limit.': (part) =>
      `${part('count')} ${part('count') === '1' ? 'hat' : 'haben'} kein Limit.`,
  },
  phrases: { 'must name a program': 'braucht ein Programm' },
  field: (name) => (name === 'package id' ? 'Paket' : name),
  limit: (name) => name,
  size: (mib) => `${mib} MB`,
});

test.each([
  ['The disk is full.', 'Voll.'],
  ['There is no account 17.', 'Kein Konto 17.'],
  ['The package id field is required.', 'Paket fehlt.'],
  ['The colour field is required.', 'colour fehlt.'],
  ['The package id field must name a program.', 'Paket braucht ein Programm.'],
  ['The package id field must sing.', 'Paket must sing.'],
  ['1 has no limit.', '1 hat kein Limit.'],
  ['2 have no limit.', '2 haben kein Limit.'],
  ['The disk is full. There is no account 3. Ask somebody.', 'Voll. Kein Konto 3. Ask somebody.'],
  ['The disk is full.\nThe disk is full.', 'Voll.\nThe disk is full.'],
  ['There is no account 3. There is no account 4. The disk is full.', 'Kein Konto 3. Kein Konto 4. Voll.'],
  ['Something new happened.', 'Something new happened.'],
  ['', ''],
])('%j', (english, german) => {
  expect(catalogue.translate(english)).toBe(german);
});

test.each([
  [
    "The disk mb field cannot be 5: 1 of the reseller's accounts has no limit. Give them one first.",
    '„Speicherplatz“ kann nicht 5 MB sein: 1 Konto des Resellers ist unbegrenzt. Begrenzen Sie diese zuerst.',
  ],
  [
    'The account exceeds package "Small": 4 domains (at most 3), 700 MiB of disk (at most 500).',
    'Das Konto belegt mehr, als das Paket „Small“ erlaubt: 4 Domains (höchstens 3), 700 MB Speicherplatz (höchstens 500 MB).',
  ],
  [
    'Reseller bob: disk space would be 9, the pool has 5; memory cannot be unlimited, the pool has 7.',
    'Der Reseller bob: Speicherplatz wäre 9 MB, das Kontingent hat 5 MB; Arbeitsspeicher kann nicht unbegrenzt sein, das Kontingent hat 7 MB.',
  ],
  [
    'The start command field must not have | (a pipe): no shell reads it.',
    'Der Startbefehl darf | nicht enthalten: Keine Shell liest ihn.',
  ],
  [
    'Node.js 22 could not be installed: The registry has no version 22 of node.',
    'Node.js 22 konnte nicht installiert werden: Die Registry hat keine Version 22 von node.',
  ],
  [
    'shop.example has no address; it should have 192.0.2.1 or 192.0.2.2.',
    'shop.example hat keine Adresse, sollte aber 192.0.2.1 oder 192.0.2.2 haben.',
  ],
  [
    'The program crashed repeatedly. The end of its log:\nError: no such file',
    'Das Programm ist mehrmals abgestürzt. Das Ende seines Logs:\nError: no such file',
  ],
])('in German: %j', (english, german) => {
  expect(translate('de', english)).toBe(german);
});

test.each([
  ['The username has already been taken.', 'Username is already taken.'],
  ['The package id field is required.', 'Package is required.'],
  ['The disk mb field must be at least 1.', 'Disk space must be at least 1 MB.'],
  ['The iops field must be at least 100.', 'IOPS must be at least 100.'],
  ['The password field must be at least 8 characters.', 'Password must be at least 8 characters.'],
  ['The selected node version is invalid.', 'Node.js version: this choice is not available.'],
  [
    'The disk limit mb field exceeds what is left of the reseller pool (10240).',
    'Disk space is more than what is left of the pool of the reseller (10 GB).',
  ],
  [
    'The account exceeds package "Small": 4 domains (at most 3), 700 MiB of disk (at most 500).',
    'The account exceeds package "Small": 4 domains (at most 3), 700 MB disk space (at most 500 MB).',
  ],
  ['There is no account 17.', 'There is no account 17.'],
])('in English: %j', (said, shown) => {
  expect(translate('en', said)).toBe(shown);
});
