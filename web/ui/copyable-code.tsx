import { Box, Code, Group, Stack, Text } from '@mantine/core'
import { useId, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

interface Props {
  readonly label: string
  readonly children: string
}

/** Text for a terminal or an address bar, with a button that copies it. */
export function CopyableCode({ label, children }: Props) {
  const id = useId()
  const code = useRef<HTMLPreElement>(null)
  const select = () => code.current && getSelection()?.selectAllChildren(code.current)
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="flex-end" gap="sm" wrap="nowrap">
        <Text id={id} size="sm" fw={500} miw={0} className="breakable">
          {label}
        </Text>
        <Box flex="none">
          <CopyButton describedBy={id} text={children} selectText={select} />
        </Box>
      </Group>
      <Code block ref={code} role="group" aria-labelledby={id} className="wrapped">
        {children}
      </Code>
    </Stack>
  )
}
