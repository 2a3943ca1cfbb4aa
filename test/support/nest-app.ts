import { afterEach } from '@jest/globals';
import {
  Module,
  type INestApplicationContext,
  type LoggerService,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getQueueToken, type Job, type Queue } from 'nestjs-lane';

import { waitUntil } from './wait-until';

/** One line that the application logged. */
export interface LogLine {
  level: 'log' | 'warn' | 'error';
  message: string;
  /** For errors, their stack. */
  stack: string | undefined;
  context: string | undefined;
}

/** Keeps what Nest and its modules log. */
export class RecordingLogger implements LoggerService {
  readonly lines: LogLine[] = [];

  log(message: unknown, ...rest: unknown[]): void {
    this.#keep('log', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#keep('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#keep('error', message, rest);
  }

  /** What our module logged. */
  messages(level: LogLine['level']): string[] {
    return this.lines
      .filter((line) => line.level === level && line.context === 'LaneModule')
      .map(({ message }) => message);
  }

  #keep(level: LogLine['level'], message: unknown, rest: readonly unknown[]): void {
    const texts = rest.filter((value) => value !== undefined).map(String);
    this.lines.push({
      level,
      message: String(message),
      stack: texts.length > 1 ? texts[0] : undefined,
      context: texts.at(-1),
    });
  }
}

/** Root modules are told apart by name in error messages. */
export function rootModule(metadata: ModuleMetadata): Type {
  @Module(metadata)
  class AppModule {}
  return AppModule;
}

/** A queue of an application, in whatever module it is registered. */
export function queueOf(app: INestApplicationContext, name: string, connection?: string): Queue {
  return app.get<Queue>(getQueueToken(name, connection), { strict: false });
}

/** Waits until a job has ended, well or badly, and reads it again. */
export async function ended(queue: Queue, { id, name }: Job): Promise<Job> {
  return waitUntil(
    async () => {
      const job = await queue.getJob(id);
      return job?.finishedOn === undefined ? undefined : job;
    },
    { reason: `job "${name}" has ended` },
  );
}

/**
 * Applications of a spec; those that are still open when a test ends are closed. To be made before the leak guard is
 * set, which looks when they are closed.
 */
export class TestApps {
  readonly #open = new Set<INestApplicationContext>();

  constructor() {
    afterEach(() => this.closeAll());
  }

  /** Starts an application as `main.ts` would, without a server. */
  async start(
    root: ModuleMetadata | Type,
    { logger = new RecordingLogger() }: { logger?: LoggerService } = {},
  ): Promise<INestApplicationContext> {
    const app = await NestFactory.createApplicationContext(
      typeof root === 'function' ? root : rootModule(root),
      { logger, abortOnError: false },
    );
    return this.track(app);
  }

  /** Closes an application at the end of the test, unless the test does so. */
  track<App extends INestApplicationContext>(app: App): App {
    const close = app.close.bind(app);
    app.close = (...args) => {
      this.#open.delete(app);
      return close(...args);
    };
    this.#open.add(app);
    return app;
  }

  async closeAll(): Promise<void> {
    const apps = [...this.#open];
    this.#open.clear();
    await Promise.all(apps.map((app) => app.close()));
  }
}
