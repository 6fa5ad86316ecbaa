import { Alert, Group, Stack, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { WarningIcon } from './icons.tsx'

export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Copy it now: it is shown only once">
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
