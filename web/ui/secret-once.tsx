import { Alert, Group, Stack, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { WarningIcon } from './icons.tsx'

/** A secret that nobody can read again once this is gone from the screen. */
export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Copy it now: it is shown this once">
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <Textarea
            ref={field}
            label={label}
            value={secret}
            readOnly
            autosize
            minRows={1}
            spellCheck={false}
            flex="1 1 18rem"
            classNames={{ input: 'secret' }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={secret} selectText={() => field.current?.select()} />
        </Group>
      </Stack>
    </Alert>
  )
}
