/**
 * Percent of the repetitions that tests of chance run: kills, random cases, mutations, sets of files. TEST_VOLUME sets
 * it; the default of 10 is for every day, `npm run test:volume` runs 100. Tests of one example are never left out.
 */
const PERCENT = Number(process.env['TEST_VOLUME'] ?? 10)
/** Every repetition runs, and every suite on each engine. */
export const isFullVolume = PERCENT === 100
if (!(PERCENT > 0 && PERCENT <= 100)) throw new Error('TEST_VOLUME is a percentage from 1 to 100.')

/** The repetitions to run of `full`, rounded up; never fewer than `atLeast`, below which the test proves nothing. */
export function volume(full: number, { atLeast = 1 }: { atLeast?: number } = {}): number {
  return Math.min(full, Math.max(atLeast, Math.ceil((full * PERCENT) / 100)))
}

/** Members of a list at equal distances, the first one included, as many as `volume` of its length. */
export function sampleOf<T>(all: readonly T[]): T[] {
  const count = volume(all.length)
  return Array.from({ length: all.length === 0 ? 0 : count }, (_, at) => all[Math.floor((at * all.length) / count)]!)
}

/**
 * Members of a list for one turn of a matrix, as large a part as the volume. Turns that follow each other take other
 * members: ten turns take all of them at the default volume.
 */
export function shareOf<T>(all: readonly T[], turn: number): T[] {
  const takenBefore = (place: number) => Math.floor(((place + turn) * PERCENT) / 100)
  return all.filter((_, place) => takenBefore(place + 1) > takenBefore(place))
}
