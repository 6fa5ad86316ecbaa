import type { Coordinates } from '#analysis/ecosystems/jvm/coordinates.ts'
import type { Exclusion } from '#analysis/ecosystems/jvm/pom.ts'
import type { Problem } from '#analysis/ecosystems/jvm/version-choice.ts'
import type { RichVersion } from '../facts.ts'
import type { Below, Managed, Published } from './below.ts'
import type { GradleDependency } from './gradle-dependency.ts'

/** The module reader and version chooser of a resolution. */
export interface HighestSettings {
  find(coordinates: Coordinates): Promise<Published>
  /** Returns the consequences of requiring a part of a module; the same object each time. */
  below(published: Published, requested: GradleDependency): Below
  /** Chooses the version of a module for all these demands. */
  choose(module: Module, demands: readonly Demand[], managed: readonly ManagedVersion[]): Promise<Choice>
  /** Exclusions for all modules. */
  readonly excluded: readonly Exclusion[]
  readonly maxPackages: number
}

export interface Module {
  readonly group: string
  readonly artifact: string
}

export interface Demand {
  readonly dependency: GradleDependency
  /** True if the project itself requires it. */
  readonly isDirect: boolean
}

/** A version that a resolved module sets for another one. */
export interface ManagedVersion {
  readonly rich: RichVersion
  readonly isEnforced: boolean
}

/** A version, with a possible objection that is not known for sure; or none. */
export type Choice = { readonly version: string; readonly doubt?: Problem } | Problem

export interface Selected extends Published {
  readonly version: string
  readonly doubt: Problem | undefined
}

export interface Edge extends Demand {
  /** The requiring module; empty for the project. */
  readonly from: string
  readonly to: string
}

export interface Holder {
  /** The managing module. */
  readonly from: string
  readonly managed: Managed
  readonly isEnforced: boolean
}

export interface Walk {
  /** The reached modules in order. */
  readonly reached: ReadonlyMap<string, Module>
  readonly edges: readonly Edge[]
  readonly holders: readonly Holder[]
}
