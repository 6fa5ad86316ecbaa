import styles from './path-text.module.css'

/** Segments at the end of a path that stay whole: the folder of a manifest and its name. */
const TAIL_LENGTH = 2

/** Characters at the beginning that are worth shortening. */
const MIN_HEAD = 6

interface Props {
  readonly text: string
  /** Texts beside it in the list, from which its end must differ. */
  readonly others?: readonly string[]
}

/**
 * Shows a long path or name: only the beginning is shortened. The end, which distinguishes the manifests of a
 * repository, is always whole, on a second line if it must.
 */
export function PathText({ text, others = [] }: Props) {
  const tail = distinctTail(text, others)
  const head = text.slice(0, text.length - tail.length)
  return (
    <span className={styles['path']} title={text}>
      {head !== '' && <span className={styles['head']}>{head}</span>}
      <span className={styles['tail']}>{tail}</span>
    </span>
  )
}

/** Returns the shortest end of whole segments that no other text has. */
function distinctTail(text: string, others: readonly string[]): string {
  const starts = [...text.matchAll(/[/:]/g)].map(({ index }) => index).reverse()
  const tails = starts.slice(TAIL_LENGTH - 1).map((start) => text.slice(start))
  const tail = tails.find((tail) => !others.some((other) => other !== text && other.endsWith(tail))) ?? text
  return text.length - tail.length < MIN_HEAD ? text : tail
}
