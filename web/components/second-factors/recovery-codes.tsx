import { Alert, Button, Group, List, Stack } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { Note } from '../note.tsx'

interface Props {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

export function RecoveryCodes({ codes, onDone }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const text = codes.join('\n')
  return (
    <Stack>
      <Alert color="yellow" icon={<WarningIcon />} title="Save these codes now: they are shown only once">
        Each recovery code signs you in once if you lose your second factor. Keep them where you keep passwords.
      </Alert>
      <div ref={list}>
        <List listStyleType="none" className="secret" aria-label="Recovery codes">
          {codes.map((code) => (
            <List.Item key={code}>{code}</List.Item>
          ))}
        </List>
      </div>
      <Group gap="sm">
        <CopyButton text={text} selectText={() => list.current && getSelection()?.selectAllChildren(list.current)} />
        <Button
          variant="default"
          component="a"
          download="gatehouse-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          Download
        </Button>
      </Group>
      <Button onClick={onDone} fullWidth>
        I saved the codes
      </Button>
      <Note>You can create new codes on the page of your account.</Note>
    </Stack>
  )
}
