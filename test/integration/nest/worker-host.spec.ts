import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Injectable,
  type ModuleMetadata,
  type OnModuleInit,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { type Job, LaneModule, Process, Processor, WorkerHost } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

const start = (...providers: NonNullable<ModuleMetadata['providers']>) =>
  apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('audio')],
    providers,
  });

async function problemsOf(...providers: NonNullable<ModuleMetadata['providers']>) {
  const error: unknown = await start(...providers).then(
    () => new Error('The application started.'),
    (reason: unknown) => reason,
  );
  return (error as { problems: { code: string; message: string }[] }).problems;
}

describe('WorkerHost', () => {
  it('NA-4-15 runs jobs of every other name by process(job, token, signal)', async () => {
    const given: unknown[] = [];
    @Processor('audio')
    class AudioProcessor extends WorkerHost {
      async process(job: Job, token?: string, signal?: AbortSignal) {
        given.push([job.name, token === job.token && typeof token, signal instanceof AbortSignal]);
        return Promise.resolve(`${job.name} done`);
      }
    }
    @Processor('audio')
    class Named {
      @Process('named')
      handle() {
        return 'by its own handler';
      }
    }
    const queue = queueOf(await start(AudioProcessor, Named), 'audio');

    expect((await ended(queue, await queue.add('mix', {}))).returnvalue).toBe('mix done');
    expect((await ended(queue, await queue.add('named', {}))).returnvalue).toBe('by its own handler');
    expect(given).toEqual([['mix', 'string', true]]);
  });

  it('makes a signal for a method that takes one only, and runs what stands in the method’s place', async () => {
    const given: number[] = [];
    @Processor('audio')
    class AudioProcessor extends WorkerHost {
      // eslint-disable-next-line @typescript-eslint/no-unused-vars -- what is declared counts
      process(job: Job, token?: string) {
        given.push(arguments.length);
      }
    }
    const app = await start(AudioProcessor);
    const queue = queueOf(app, 'audio');
    await ended(queue, await queue.add('mix', {}));
    app.get(AudioProcessor).process = (...args: unknown[]) => {
      given.push(args.length);
    };
    await ended(queue, await queue.add('mix', {}));

    expect(given).toEqual([2, 3]);
  });

  it('fails attempts by what it throws, and hands on what a base class handles', async () => {
    abstract class Base extends WorkerHost {
      process(job: Job) {
        throw new Error(`no ${job.name}`);
      }
    }
    @Processor('audio')
    class AudioProcessor extends Base {}
    const queue = queueOf(await start(AudioProcessor), 'audio');

    expect((await ended(queue, await queue.add('mix', {}))).failedReason).toBe('no mix');
  });

  it('NA-4-16 NA-11-07 LANE_MIXED_HOST: does not go together with @Process', async () => {
    @Processor('audio')
    class Mixed extends WorkerHost {
      process() {}

      @Process('mix')
      mix() {}
    }

    expect(await problemsOf(Mixed)).toMatchObject([
      {
        code: 'LANE_MIXED_HOST',
        message: 'Mixed extends WorkerHost, whose process() takes every job name, and has @Process besides.',
        where: ["@Processor('audio') on Mixed (AppModule)"],
      },
    ]);
  });

  it('NA-4-16 two of them on a queue are two handlers', async () => {
    @Processor('audio')
    class First extends WorkerHost {
      process() {}
    }
    @Processor('audio')
    class Second extends WorkerHost {
      process() {}
    }

    expect(await problemsOf(First, Second)).toMatchObject([
      { code: 'LANE_DUPLICATE_HANDLER', where: ['First.process', 'Second.process'] },
    ]);
  });

  it('needs @Processor', async () => {
    @Injectable()
    class Undecorated extends WorkerHost {
      process() {}
    }

    expect(await problemsOf(Undecorated)).toMatchObject([{ code: 'LANE_NO_PROCESSOR' }]);
  });

  it('NA-4-17 has its worker after bootstrap, and says so before', async () => {
    let refused: unknown;
    @Processor('audio', { concurrency: 4 })
    class AudioProcessor extends WorkerHost implements OnModuleInit {
      process() {
        return this.worker.concurrency;
      }

      onModuleInit() {
        try {
          void this.worker;
        } catch (error) {
          refused = error;
        }
      }
    }
    const app = await start(AudioProcessor);
    const queue = queueOf(app, 'audio');

    expect(refused).toMatchObject({
      code: 'LANE_NOT_STARTED',
      message: expect.stringContaining('AudioProcessor'),
    });
    expect((await ended(queue, await queue.add('mix', {}))).returnvalue).toBe(4);
    expect(app.get(AudioProcessor).worker.name).toBe('audio');
  });

  it('may be made for each job, and has its worker then', async () => {
    let made = 0;
    @Processor({ queue: 'audio', scope: Scope.REQUEST })
    class AudioProcessor extends WorkerHost {
      readonly number = (made += 1);

      process(job: Job) {
        return [job.name, this.worker.name, this.number];
      }
    }
    const queue = queueOf(await start(AudioProcessor), 'audio');
    const before = made;

    expect((await ended(queue, await queue.add('mix', {}))).returnvalue).toEqual([
      'mix',
      'audio',
      before + 1,
    ]);
    expect((await ended(queue, await queue.add('cut', {}))).returnvalue).toEqual([
      'cut',
      'audio',
      before + 2,
    ]);
  });

  it('has guards of its own', async () => {
    @Injectable()
    class Nobody implements CanActivate {
      canActivate() {
        return false;
      }
    }
    @Processor('audio')
    class AudioProcessor extends WorkerHost {
      @UseGuards(Nobody)
      process() {
        return 'ran';
      }
    }
    const queue = queueOf(await start(AudioProcessor), 'audio');

    expect((await ended(queue, await queue.add('mix', {}))).failedCode).toBe('rejected');
  });
});
