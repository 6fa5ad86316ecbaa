import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface Props {
  readonly title: string
  /** Shown above the title: the path to this page. */
  readonly before?: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Title, purpose and main actions of a page. A new page gets the focus, so that screen readers announce it. */
export function Page({ title, before, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before painting: focusing later could interrupt typing.
  useLayoutEffect(() => {
    document.title = `${title} · Gatehouse`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 18rem" miw={0}>
          {before}
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className="breakable" style={{ outline: 'none' }}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" maw="44rem" component="div" className="breakable">
              {lead}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </Stack>
  )
}
