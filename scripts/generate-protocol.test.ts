import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFile, protoFile, renderWireModule } from './generate-protocol.ts';

test('the generated wire module is that of the committed proto', () => {
  expect(readFileSync(generatedFile, 'utf8')).toBe(renderWireModule(readFileSync(protoFile, 'utf8')));
});

test('a field type without a TypeScript counterpart is refused', () => {
  expect(() => renderWireModule('syntax = "proto3"; package a; message M { fixed64 f = 1; }')).toThrow(
    'fixed64',
  );
});
