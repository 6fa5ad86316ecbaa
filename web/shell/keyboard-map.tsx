import { Kbd, Modal, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { Note } from '../components/note.tsx'
import { areSingleKeysOn, shortcuts, switchSingleKeys } from '../navigation/shortcuts.ts'
import { Table } from '../ui/table.tsx'

export function KeyboardMap({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard" size="30rem">
      <Stack gap="md">
        {shortcuts.map(({ heading, of }) => (
          <Table key={heading} aria-label={heading} withRowBorders={false} verticalSpacing={3}>
            <Table.Caption ta="start" fw={600} c="inherit">
              {heading}
            </Table.Caption>
            <Table.Tbody>
              {of.map(({ keys, label }) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row" fw={400}>
                    {label}
                  </Table.Th>
                  <Table.Td ta="end">
                    {keys.map((key) => (
                      <Kbd key={key} size="xs" ml={4}>
                        {key}
                      </Kbd>
                    ))}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
        <SingleKeysSwitch />
      </Stack>
    </Modal>
  )
}

/** Switches single keys, which voice control and other input may press by accident. */
export function SingleKeysSwitch() {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <>
      <Switch
        label="Use single keys in this browser"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          switchSingleKeys(checked ? 'on' : 'off')
          setOn(checked)
        }}
      />
      <Note>They are off while you type. Ctrl K always searches.</Note>
    </>
  )
}
