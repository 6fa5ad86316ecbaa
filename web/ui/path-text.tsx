import styles from './path-text.module.css'

/** Shows a long path or name on one line: truncates the beginning, never the last segment. */
export function PathText({ text }: { text: string }) {
  const end = text.lastIndexOf('/', text.length - 2)
  return (
    <span className={styles['path']} title={text}>
      {end > 0 && <span className={styles['head']}>{text.slice(0, end)}</span>}
      <span className={styles['tail']}>{text.slice(Math.max(0, end))}</span>
    </span>
  )
}
