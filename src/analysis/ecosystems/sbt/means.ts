import type { Extension } from './scope.ts'
import type { Key, Place, Value } from './values.ts'

/** An argument as it is given, with its name. */
export interface Given {
  readonly name: string | undefined
  readonly value: Value
}

/** What calls need of the build around them. */
export interface Means {
  /** Notes what was taken for granted, as a sentence. */
  assume(sentence: string): void
  /** The value that a setting has in the project that is evaluated. */
  settingValue(key: Key, place: Place): Value
  /** A method that the sent files add to values of other kinds. */
  findExtension(name: string): Extension | undefined
}
