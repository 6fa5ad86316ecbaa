import { line } from 'd3-shape'
import styles from './sparkline.module.css'

const [WIDTH, HEIGHT] = [96, 24]
/** Space for the mark at the end. */
const MARGIN = 4
/** Changes up to this part of the first value are not colored. */
const STEADY = 0.04

/** A line of open issues on its own scale, colored if they increased or decreased. */
export function Sparkline({ levels }: { levels: readonly number[] }) {
  const [first, last] = [levels[0]!, levels.at(-1)!]
  const [least, most] = [Math.min(...levels), Math.max(...levels)]
  const x = (at: number) => MARGIN + (at / (levels.length - 1)) * (WIDTH - 2 * MARGIN)
  const y = (level: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - MARGIN - ((level - least) / (most - least)) * (HEIGHT - 2 * MARGIN)
  const path = line<number>()
    .x((_, at) => x(at))
    .y(y)
    .digits(1)
  const isSteady = Math.abs(last - first) <= first * STEADY
  return (
    <svg
      className={styles['sparkline']}
      data-change={isSteady ? undefined : last > first ? 'more' : 'fewer'}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`90 days: ${first.toLocaleString()} to ${last.toLocaleString()}`}
    >
      <path d={path(levels) ?? ''} />
      <circle cx={x(levels.length - 1)} cy={y(last)} r={2.2} />
    </svg>
  )
}
