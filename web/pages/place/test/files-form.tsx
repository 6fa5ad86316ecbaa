import { Button, Group, Paper, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { Note } from '../../../components/note.tsx'
import { DropArea } from '../../../ui/drop-area.tsx'
import { formatSize } from '../../../ui/size.ts'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import styles from './files-form.module.css'
import { Formats } from './formats.tsx'

/** A file to test. Its path determines its kind and the files that belong to it. */
export interface TestedFile {
  readonly path: string
  readonly contents: string
}

export interface FilesInput {
  readonly files: readonly TestedFile[]
  readonly includeDev: boolean
  readonly acceptPartial: boolean
}

interface Row extends TestedFile {
  readonly key: number
}

/** Maximum number of characters shown: editing larger files would slow down the page. */
const MAX_SHOWN_CHARACTERS = 200_000

let lastKey = 0
const toRow = (file: TestedFile): Row => ({ ...file, key: ++lastKey })

/** A form for files: by drag and drop, from a dialog, or pasted. */
export function FilesForm({ isBusy, onSubmit }: { isBusy: boolean; onSubmit: (input: FilesInput) => void }) {
  const [rows, setRows] = useState<readonly Row[]>(() => [toRow({ path: '', contents: '' })])
  const [includeDev, setIncludeDev] = useState(false)
  const [acceptPartial, setAcceptPartial] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const isEmpty = ({ path, contents }: Row) => path.trim() === '' && contents === ''
  const files = rows.filter((row) => !isEmpty(row))

  const change = (key: number, part: Partial<TestedFile>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const remove = (key: number) => setRows((now) => now.filter((row) => row.key !== key))

  async function take(chosen: readonly File[]) {
    const added = await Promise.all(
      chosen.map(async (file) => toRow({ path: file.webkitRelativePath || file.name, contents: await file.text() })),
    )
    const paths = new Set(added.map(({ path }) => path))
    setRows((now) => [...now.filter((row) => !isEmpty(row) && !paths.has(row.path)), ...added])
  }

  function submit() {
    setChecked(true)
    if (files.length > 0 && files.every((file) => faultOf(file, files) === undefined)) {
      onSubmit({ files: files.map((file) => ({ ...file, path: file.path.trim() })), includeDev, acceptPartial })
    }
  }

  return (
    <Paper withBorder p="lg">
      <SubmitForm onSubmit={submit} noValidate>
        <Stack>
          <DropArea
            words="Drop manifests and their lockfiles here, or"
            action="Choose files"
            label="Manifests and lockfiles"
            accept=""
            isMultiple
            onFiles={take}
          />
          <Formats />
          {rows.map((row, at) => (
            <FileFields
              key={row.key}
              row={row}
              number={at + 1}
              fault={isChecked && (files.length === 0 || !isEmpty(row)) ? faultOf(row, files) : undefined}
              onChange={(part) => change(row.key, part)}
              onRemove={rows.length > 1 ? () => remove(row.key) : undefined}
            />
          ))}
          <Group>
            <Button variant="default" onClick={() => setRows((now) => [...now, toRow({ path: '', contents: '' })])}>
              Add a file
            </Button>
          </Group>
          <Group gap="xl">
            <Switch
              label="Include development dependencies"
              checked={includeDev}
              onChange={(event) => setIncludeDev(event.currentTarget.checked)}
            />
            <Switch
              label="Allow partial results"
              checked={acceptPartial}
              onChange={(event) => setAcceptPartial(event.currentTarget.checked)}
            />
          </Group>
          <Group>
            <Button type="submit" loading={isBusy} aria-keyshortcuts="t">
              Test
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Paper>
  )
}

function faultOf({ path }: TestedFile, files: readonly TestedFile[]): string | undefined {
  const name = path.trim()
  if (name === '') return 'Required: the name says what the file is, such as package.json'
  return files.filter((other) => other.path.trim() === name).length > 1 ? 'Another file has this path' : undefined
}

interface FieldsProps {
  readonly row: Row
  readonly number: number
  readonly fault: string | undefined
  readonly onChange: (part: Partial<TestedFile>) => void
  /** Undefined if it is the only file. */
  readonly onRemove: (() => void) | undefined
}

function FileFields({ row, number, fault, onChange, onRemove }: FieldsProps) {
  const id = useId()
  const isShown = row.contents.length <= MAX_SHOWN_CHARACTERS
  return (
    <fieldset className={styles['file']} aria-labelledby={id}>
      <Group justify="space-between">
        <Text id={id} size="sm" fw={600}>
          File {number}
        </Text>
        {onRemove && (
          <Button variant="subtle" size="compact-sm" onClick={onRemove}>
            Remove file {number}
          </Button>
        )}
      </Group>
      <TextInput
        label="Path"
        placeholder="package.json, app/requirements.txt, pom.xml, …"
        {...textField(row.path, (path) => onChange({ path }), fault)}
        spellCheck={false}
        required
      />
      {isShown ? (
        <Textarea
          label="Contents"
          placeholder="Paste the file here"
          {...textField(row.contents, (contents) => onChange({ contents }))}
          rows={7}
          spellCheck={false}
          classNames={{ input: styles['code'] ?? '' }}
        />
      ) : (
        <Note size="sm">{formatSize(row.contents.length)}</Note>
      )}
    </fieldset>
  )
}
