import { type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { toDayLabel, toFullDay } from './days.ts'
import styles from './plot.module.css'
import { spreadIndices, toTicks } from './scale.ts'

/** Height of a chart, with its axes and its key. */
export const CHART_HEIGHT = 254
const TOP = 8
const AXIS = 22
const LEFT = 44
const RIGHT = 8
/** Width of a day's label. */
const DAY_WIDTH = 90
/** Width in environments without layout. */
const DEFAULT_WIDTH = 600
/** Beyond this part of the width, the tooltip is on the other side of the cursor. */
const MIDDLE = 0.5

/** The part of a plot in which values are drawn, in pixels of the drawing. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly bottom: number
  /** Width for each point. */
  readonly band: number
  x(index: number): number
  y(value: number): number
}

interface Value {
  readonly name: string
  readonly value: number
  readonly color: string
}

interface Props {
  /** Accessible name, with the first and the last values. */
  readonly label: string
  /** Days or weeks, by their first day. */
  readonly dates: readonly string[]
  readonly max: number
  /** `points` from edge to edge, `bands` beside each other. */
  readonly layout: 'points' | 'bands'
  /** Space for labels at the end. */
  readonly end?: number
  readonly height?: number
  readonly valuesAt: (index: number) => readonly Value[]
  readonly children: (frame: Frame) => ReactNode
}

/**
 * Axes around values over time. A transparent slider lies on the drawing: pointer and arrow keys move a cursor that shows
 * the values, and screen readers read them.
 */
export function Plot({ label, dates, max, layout, end = 0, height = CHART_HEIGHT, valuesAt, children }: Props) {
  const [ref, width] = useWidth()
  const [cursor, setCursor] = useState<number>()
  const last = dates.length - 1
  const at = cursor === undefined ? undefined : Math.min(cursor, last)
  const ticks = toTicks(max)
  const frame = toFrame({ width: width - end, height, count: dates.length, top: ticks.at(-1)!, layout })

  function follow({ clientX, currentTarget }: PointerEvent<HTMLInputElement>) {
    const box = currentTarget.getBoundingClientRect()
    const share = box.width === 0 ? 0 : (clientX - box.left) / box.width
    const position = layout === 'bands' ? Math.floor(share * dates.length) : Math.round(share * last)
    setCursor(Math.min(Math.max(position, 0), last))
  }

  return (
    <div className={styles['plot']} ref={ref}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <Axes frame={frame} ticks={ticks} dates={dates} />
        {children(frame)}
        {at !== undefined && (
          <line className={styles['cursor']} x1={frame.x(at)} x2={frame.x(at)} y1={TOP} y2={frame.bottom} />
        )}
      </svg>
      <input
        type="range"
        className={styles['slider']}
        style={{ left: frame.left, width: frame.right - frame.left, height: frame.bottom }}
        aria-label={`Values: ${label}`}
        aria-valuetext={toText(dates[at ?? last]!, valuesAt(at ?? last))}
        min={0}
        max={last}
        value={at ?? last}
        onChange={({ currentTarget }) => setCursor(Number(currentTarget.value))}
        onFocus={() => setCursor(at ?? last)}
        onBlur={() => setCursor(undefined)}
        onPointerMove={follow}
        onPointerLeave={({ currentTarget }) => !currentTarget.matches(':focus-visible') && setCursor(undefined)}
        onKeyDown={({ key }) => key === 'Escape' && setCursor(undefined)}
      />
      {at !== undefined && (
        <div className={styles['values']} style={toSide(frame.x(at), width)} aria-hidden>
          <b>{toFullDay(dates[at]!)}</b>
          <ul>
            {valuesAt(at).map(({ name, value, color }) => (
              <li key={name}>
                <span className={styles['mark']} style={{ background: color }} />
                {name} <b>{value.toLocaleString()}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function toFrame({
  width,
  height,
  count,
  top,
  layout,
}: { width: number; height: number; count: number; top: number } & Pick<Props, 'layout'>): Frame {
  const [left, right, bottom] = [LEFT, width - RIGHT, height - AXIS]
  const band = (right - left) / Math.max(layout === 'bands' ? count : count - 1, 1)
  const start = layout === 'bands' ? left + band / 2 : left
  return {
    left,
    right,
    bottom,
    band,
    x: (index) => round(start + index * band),
    y: (value) => round(bottom - (value / top) * (bottom - TOP)),
  }
}

/** Rounds to a tenth of a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}

function Axes({ frame, ticks, dates }: { frame: Frame; ticks: readonly number[] } & Pick<Props, 'dates'>) {
  const { left, right, bottom, x, y } = frame
  /** Returns the alignment that keeps labels at the ends within the drawing. */
  function toAnchor(index: number) {
    if (dates.length > 1 && index === 0) return { x: left, textAnchor: 'start' } as const
    if (dates.length > 1 && index === dates.length - 1) return { x: right, textAnchor: 'end' } as const
    return { x: x(index), textAnchor: 'middle' } as const
  }
  const labels = spreadIndices(dates.length, Math.floor((right - left) / DAY_WIDTH))
  return (
    <g className={styles['axes']}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {tick.toLocaleString()}
          </text>
        </g>
      ))}
      {labels.map((index) => (
        <text key={index} y={bottom + AXIS - 4} {...toAnchor(index)}>
          {toDayLabel(dates[index])}
        </text>
      ))}
    </g>
  )
}

function toText(date: string, values: readonly Value[]): string {
  return `${toFullDay(date)}: ${values.map(({ name, value }) => `${name} ${value.toLocaleString()}`).join(', ')}`
}

function toSide(x: number, width: number) {
  return x > width * MIDDLE ? { right: width - x + 8 } : { left: x + 8 }
}

/** Returns a reference for an element, and its width. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(DEFAULT_WIDTH)
  useLayoutEffect(() => {
    const element = ref.current!
    const measure = () => setWidth(element.clientWidth || DEFAULT_WIDTH)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
