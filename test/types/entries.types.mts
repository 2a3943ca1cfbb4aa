// Every sub-path has types for an ES module, and they are those that a CommonJS module gets.

import type * as root from 'nestjs-lane';
import type * as contract from 'nestjs-lane/contract';
import type * as engine from 'nestjs-lane/engine';
import type * as memory from 'nestjs-lane/memory';
import type * as redis from 'nestjs-lane/redis';
import type * as terminus from 'nestjs-lane/terminus';
import type * as testing from 'nestjs-lane/testing';
import type * as conformance from 'nestjs-lane/testing/conformance';
import 'nestjs-lane/testing/jest';
import 'nestjs-lane/testing/vitest';

import type { Entries as CommonJsEntries } from './entries.types.cjs';

export type Entries = [
  typeof root,
  typeof contract,
  typeof engine,
  typeof memory,
  typeof redis,
  typeof terminus,
  typeof testing,
  typeof conformance,
];

export const there = (entries: CommonJsEntries): Entries => entries;
export const back = (entries: Entries): CommonJsEntries => entries;
