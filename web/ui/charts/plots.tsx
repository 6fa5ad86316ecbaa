import { useMediaQuery } from '@mantine/hooks'
import { area, curveStepAfter, type Series, stack } from 'd3-shape'
import { type Severity, SeverityGlyph, SeverityWord, severities } from '../severity.tsx'
import styles from './plot.module.css'
import { CHART_HEIGHT, type Frame, Plot } from './plot.tsx'
import { moveApart } from './scale.ts'

type Counts = Readonly<Record<Severity, number>>

export interface OpenPoint extends Counts {
  readonly date: string
}

export interface FlowPoint {
  readonly date: string
  readonly opened: number
  readonly fixed: number
}

interface Props<Point> {
  /** Accessible name. */
  readonly label: string
  readonly points: readonly Point[]
}

const END_WIDTH = 124
const END_GAP = 16
/** Height of the names below a narrow plot. */
const KEY_HEIGHT = 40

/** Open issues by severity as stacked areas, the worst at the bottom, each with its name at the end. */
export function OpenPlot({ label, points }: Props<OpenPoint>) {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const shown = severities.filter((severity) => points.some((point) => point[severity] > 0))
  const layers = stack<OpenPoint, Severity>().keys(shown)([...points])
  const ends = shown.map((severity) => ({ severity, change: points.at(-1)![severity] - points[0]![severity] }))
  return (
    <>
      <Plot
        label={label}
        dates={points.map(({ date }) => date)}
        max={Math.max(...(layers.at(-1) ?? []).map(([, upper]) => upper))}
        layout="points"
        {...(isNarrow ? { height: CHART_HEIGHT - KEY_HEIGHT } : { end: END_WIDTH })}
        valuesAt={(index) =>
          shown.map((name) => ({ name, value: points[index]![name], color: `var(--${name})` })).toReversed()
        }
      >
        {(frame) => (
          <>
            {layers.map((layer) => (
              <path
                key={layer.key}
                d={toSteps(frame, layer)}
                fill={`var(--${layer.key})`}
                fillOpacity={0.5}
                stroke={`var(--${layer.key})`}
              />
            ))}
            {!isNarrow && <Ends frame={frame} ends={ends} layers={layers} />}
          </>
        )}
      </Plot>
      {isNarrow && (
        <ul className={styles['key']}>
          {ends.map(({ severity, change }) => (
            <li key={severity}>
              <SeverityWord severity={severity} />
              <div>{toSigned(change)}</div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type Layer = Series<OpenPoint, Severity>

/** Returns the outline of a layer: a count is constant until the next day. */
function toSteps({ x, y }: Frame, layer: Layer): string {
  const outline = area<Layer[number]>()
    .x((_, index) => x(index))
    .y0(([lower]) => y(lower))
    .y1(([, upper]) => y(upper))
    .curve(curveStepAfter)
  return outline(layer) ?? ''
}

interface EndsProps {
  readonly frame: Frame
  readonly ends: readonly { readonly severity: Severity; readonly change: number }[]
  readonly layers: readonly Layer[]
}

/** Shows the name of each area and its change at its end. */
function Ends({ frame: { right, bottom, y }, ends, layers }: EndsProps) {
  const middles = layers.map((layer) => y((layer.at(-1)![0] + layer.at(-1)![1]) / 2)).toReversed()
  const places = moveApart(middles, { gap: END_GAP, end: bottom }).toReversed()
  return ends.map(({ severity, change }, layer) => (
    <g key={severity} className={styles['end']} transform={`translate(${right + 12},${places[layer]})`}>
      <g transform="translate(0,-6)" color={`var(--${severity})`}>
        <SeverityGlyph severity={severity} />
      </g>
      <text x={18} y={4} className={styles['name']}>
        {severity}
      </text>
      <text x={END_WIDTH - 16} y={4} textAnchor="end">
        {toSigned(change)}
      </text>
    </g>
  ))
}

function toSigned(change: number): string {
  if (change === 0) return '±0'
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()}`
}

const flows = ['opened', 'fixed'] as const
const flowColors = { opened: 'var(--control)', fixed: 'var(--brand)' } as const
/** Width of a bar as a part of its band, and its maximum. */
const BAR_SHARE = 0.38
const MAX_BAR = 24

export function FlowPlot({ label, points }: Props<FlowPoint>) {
  return (
    <Plot
      label={label}
      dates={points.map(({ date }) => date)}
      max={Math.max(...points.flatMap(({ opened, fixed }) => [opened, fixed]))}
      layout="bands"
      valuesAt={(index) => flows.map((name) => ({ name, value: points[index]![name], color: flowColors[name] }))}
    >
      {({ band, bottom, x, y }) => {
        const width = Math.min(band * BAR_SHARE, MAX_BAR)
        return points.map((point, at) =>
          flows.map((name, side) => (
            <rect
              key={`${point.date} ${name}`}
              x={x(at) + (side === 0 ? -width - 0.5 : 0.5)}
              y={y(point[name])}
              width={width}
              height={bottom - y(point[name])}
              fill={flowColors[name]}
            />
          )),
        )
      }}
    </Plot>
  )
}
