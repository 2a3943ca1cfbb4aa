// Every sub-path has types for a CommonJS module.

import type * as root from 'nestjs-lane';
import type * as contract from 'nestjs-lane/contract';
import type * as engine from 'nestjs-lane/engine';
import type * as memory from 'nestjs-lane/memory';
import type * as redis from 'nestjs-lane/redis';
import type * as terminus from 'nestjs-lane/terminus';
import type * as testing from 'nestjs-lane/testing';
import type * as conformance from 'nestjs-lane/testing/conformance';
import 'nestjs-lane/testing/jest';

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
