import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform, Type } from '@nestjs/common';

/**
 * Which enhancers of the whole application reach job handlers: those of `app.useGlobalGuards()` and its like, and
 * providers under `APP_GUARD` and its like.
 *
 * @public
 */
export interface InheritedEnhancers {
  /** Default `false`. */
  guards?: boolean;
  /** Default `false`. */
  pipes?: boolean;
  /** Default `false`. */
  interceptors?: boolean;
  /** Default `false`. */
  filters?: boolean;
}

/**
 * Enhancers for all handlers of a connection. They come before those of a class and of a method; filters come after.
 *
 * A class is resolved by injection: the provider of that class, in the module that calls `forRoot` or in any other, and
 * where there is none an object of it with the providers that this module can see. It has the default scope.
 *
 * @public
 */
export interface LaneEnhancers {
  /** Default none. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** For parameters that a decorator fills. Default none. */
  pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
  /** Default none. */
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Default none. */
  filters?: readonly (Type<ExceptionFilter> | ExceptionFilter)[];
  /**
   * What the application has for requests and is to hold for jobs too: all of it, or by kind. Of its own accord nothing
   * does, since such enhancers look for a request. Those of a kind that is inherited have the default scope. Default `false`.
   */
  inherit?: boolean | InheritedEnhancers;
}

/** The kinds of enhancers, each with the method that makes an object one. @internal */
export const ENHANCER_METHODS = {
  guards: 'canActivate',
  pipes: 'transform',
  interceptors: 'intercept',
  filters: 'catch',
} as const satisfies Record<keyof InheritedEnhancers, string>;

/** @internal */
export type EnhancerKind = keyof typeof ENHANCER_METHODS;

/** @internal */
export const ENHANCER_KINDS = Object.keys(ENHANCER_METHODS) as readonly EnhancerKind[];

/** @internal */
export const ENHANCER_OPTION_NAMES: readonly (keyof LaneEnhancers)[] = [...ENHANCER_KINDS, 'inherit'];
