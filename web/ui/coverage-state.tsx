import styles from './coverage-state.module.css'
import { CheckIcon, HalfIcon, NoneIcon } from './icons.tsx'

interface Props {
  readonly incomplete: number
  readonly untested: number
  readonly isClean: boolean
}

/** Shows how complete the counts beside it are. Only complete coverage gets a check mark. */
export function CoverageState({ incomplete, untested, isClean }: Props) {
  if (incomplete > 0) {
    return (
      <span className={styles['state']} data-tone="warning">
        <HalfIcon size={14} /> {incomplete.toLocaleString()} incomplete
      </span>
    )
  }
  if (untested > 0) {
    return (
      <span className={styles['state']} data-tone="bad">
        <NoneIcon size={14} /> {untested.toLocaleString()} not tested
      </span>
    )
  }
  return (
    <span className={styles['state']} data-tone="good">
      <CheckIcon size={14} /> {isClean ? 'Complete · clean' : 'Complete'}
    </span>
  )
}
