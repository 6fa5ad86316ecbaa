import styles from './path-text.module.css'

/** Characters of the beginning that stay visible in a narrow column. */
const HEAD_LENGTH = 10

/**
 * Shows a long path or name on one line: shortens the middle, so that the end, which distinguishes the manifests of a
 * repository, has most of the space.
 */
export function PathText({ text }: { text: string }) {
  const head = text.slice(0, Math.min(HEAD_LENGTH, text.indexOf('/') + 1 || HEAD_LENGTH))
  return (
    <span className={styles['path']} title={text}>
      <span>{head}</span>
      <span className={styles['tail']}>
        <bdi>{text.slice(head.length)}</bdi>
      </span>
    </span>
  )
}
