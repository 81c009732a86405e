import { expect, test } from 'vitest';
import { isUniqueViolation } from './unique-violation.ts';

function failure(sqlMessage: string, errno = 1062): Error {
  return Object.assign(new Error(sqlMessage), { errno, sqlMessage });
}

test('the key is read from the messages of MariaDB and of MySQL', () => {
  expect(isUniqueViolation(failure("Duplicate entry 'bob' for key 'PRIMARY'"), 'PRIMARY')).toBe(true);
  expect(isUniqueViolation(failure("Duplicate entry 'bob' for key 'usernames.PRIMARY'"), 'PRIMARY')).toBe(
    true,
  );
  expect(isUniqueViolation(failure("Duplicate entry 'bob' for key 'nodes.nodes_name'"), 'nodes_name')).toBe(
    true,
  );
});

test('the language of the server’s messages does not matter', () => {
  const german = failure("Doppelter Eintrag 'bob' für Schlüssel 'nodes_name'");
  const other = failure("Duplikat 'bob' za ključ 'nodes_name' nije dozvoljen");
  for (const error of [german, other]) expect(isUniqueViolation(error, 'nodes_name')).toBe(true);
});

test('a value that imitates the end of the message names no key', () => {
  const error = failure("Duplicate entry 'x' for key 'PRIMARY'' for key 'nodes_name'");
  expect(isUniqueViolation(error, 'PRIMARY')).toBe(false);
  expect(isUniqueViolation(error, 'nodes_name')).toBe(true);
});

test('other errors are not a violation', () => {
  expect(isUniqueViolation(failure("Deadlock for key 'PRIMARY'", 1213), 'PRIMARY')).toBe(false);
  expect(isUniqueViolation(new Error("for key 'PRIMARY'"), 'PRIMARY')).toBe(false);
  expect(isUniqueViolation(undefined, 'PRIMARY')).toBe(false);
});
