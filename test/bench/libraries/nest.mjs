import 'reflect-metadata';

import { Injectable, Module, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getQueueToken, JobData, LaneModule, OnWorkerEvent, Process, Processor } from 'nestjs-lane';

import { openOurs } from './ours.mjs';
import { WORKER_OPTIONS } from './settings.mjs';

/** Decorators are functions, which a plain module calls by itself. */
class Guard {
  canActivate() {
    return true;
  }
}
Injectable()(Guard);

class Interceptor {
  /**
   * @param {unknown} _context
   * @param {import('@nestjs/common').CallHandler} next
   */
  intercept(_context, next) {
    return next.handle();
  }
}
Injectable()(Interceptor);

class Pipe {
  /** @param {unknown} value */
  transform(value) {
    return value;
  }
}
Injectable()(Pipe);

/**
 * Runs the jobs by a handler of a Nest application in place of a worker of the engine.
 *
 * @param {string} queueName
 * @param {import('nestjs-lane/engine').LaneBackend} store
 * @param {{ withEnhancers: boolean }} options whether the handler has a guard, an interceptor and a pipe
 * @returns {Promise<import('../scenarios.mjs').Session>}
 */
export async function openNest(queueName, store, { withEnhancers }) {
  const session = await openOurs(queueName, store);
  /** @type {import('@nestjs/common').INestApplicationContext[]} */
  const opened = [];
  return {
    ...session,
    async startWorker(concurrency, onCompleted) {
      const processor = processorOf(queueName, onCompleted, withEnhancers);
      class App {}
      Module({
        imports: [
          LaneModule.forRoot({
            backend: store,
            defaults: { worker: { ...WORKER_OPTIONS, ...KEPT, concurrency } },
          }),
          LaneModule.registerQueue(queueName),
        ],
        providers: [processor],
      })(App);
      const app = await NestFactory.createApplicationContext(App, { logger: false });
      app.get(getQueueToken(queueName));
      opened.push(app);
    },
    async close() {
      await Promise.all(opened.map((app) => app.close()));
      await session.close();
    },
  };
}

/** All finished jobs, as a worker of the engine keeps them. */
const KEPT = { removeOnComplete: false, removeOnFail: false };

/**
 * @param {string} queueName
 * @param {(jobId: string) => void} onCompleted
 * @param {boolean} withEnhancers
 */
function processorOf(queueName, onCompleted, withEnhancers) {
  class NoOpProcessor {
    async handle() {}

    /** @param {{ id: string }} job */
    completed(job) {
      onCompleted(job.id);
    }
  }
  const { prototype } = NoOpProcessor;
  /** @param {'handle' | 'completed'} method @param {MethodDecorator} decorator */
  const decorate = (method, decorator) =>
    decorator(
      prototype,
      method,
      /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, method)),
    );
  decorate('handle', Process('send'));
  decorate('completed', OnWorkerEvent('completed'));
  if (withEnhancers) {
    decorate('handle', UseGuards(Guard));
    decorate('handle', UseInterceptors(Interceptor));
    decorate('handle', UsePipes(Pipe));
    JobData()(prototype, 'handle', 0);
  }
  Processor(queueName)(NoOpProcessor);
  return NoOpProcessor;
}
