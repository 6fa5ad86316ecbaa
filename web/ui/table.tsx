import { Box, type BoxProps, Skeleton } from '@mantine/core'
import type { ComponentProps } from 'react'
import styles from './table.module.css'

type Of<Tag extends 'table' | 'caption' | 'thead' | 'tbody' | 'tr' | 'th' | 'td'> = BoxProps &
  Omit<ComponentProps<Tag>, keyof BoxProps>

interface Spacing {
  /** Pixels above and below the contents of cells. */
  readonly verticalSpacing?: number
  /** Pixels beside the contents of cells. */
  readonly horizontalSpacing?: number
  readonly withRowBorders?: boolean
  readonly stickyHeader?: boolean
}

/** A table in the library's style, without its scroll bars and floating parts. */
function Root({
  verticalSpacing,
  horizontalSpacing,
  withRowBorders,
  stickyHeader,
  className,
  ...rest
}: Of<'table'> & Spacing) {
  return (
    <Box
      component="table"
      className={[styles['table'], className].filter(Boolean).join(' ')}
      data-bare={withRowBorders === false || undefined}
      data-sticky={stickyHeader || undefined}
      __vars={{ '--cell-y': toPixels(verticalSpacing), '--cell-x': toPixels(horizontalSpacing) }}
      {...rest}
    />
  )
}

function toPixels(size: number | undefined): string | undefined {
  return size === undefined ? undefined : `${size}px`
}

const Caption = (props: Of<'caption'>) => <Box component="caption" {...props} />
const Thead = (props: Of<'thead'>) => <Box component="thead" {...props} />
const Tbody = (props: Of<'tbody'>) => <Box component="tbody" {...props} />
const Tr = (props: Of<'tr'>) => <Box component="tr" {...props} />
const Th = (props: Of<'th'>) => <Box component="th" {...props} />
const Td = (props: Of<'td'>) => <Box component="td" {...props} />

export const Table = Object.assign(Root, { Caption, Thead, Tbody, Tr, Th, Td })

const waiting = ['first', 'second', 'third', 'fourth', 'fifth']

/** Rows across all columns while those of the table are loading. */
export function WaitingRows({ columns }: { columns: number }) {
  return waiting.map((key) => (
    <Tr key={key} aria-hidden>
      <Td colSpan={columns}>
        <Skeleton height={16} width="60%" />
      </Td>
    </Tr>
  ))
}
