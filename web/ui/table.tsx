import { Box, type BoxProps } from '@mantine/core'
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

function Caption(props: Of<'caption'>) {
  return <Box component="caption" {...props} />
}

function Thead(props: Of<'thead'>) {
  return <Box component="thead" {...props} />
}

function Tbody(props: Of<'tbody'>) {
  return <Box component="tbody" {...props} />
}

function Tr(props: Of<'tr'>) {
  return <Box component="tr" {...props} />
}

function Th(props: Of<'th'>) {
  return <Box component="th" {...props} />
}

function Td(props: Of<'td'>) {
  return <Box component="td" {...props} />
}

export const Table = Object.assign(Root, { Caption, Thead, Tbody, Tr, Th, Td })
