import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Names and values of one resource; omits undefined values. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <Text component="dt" c="dimmed" size="sm">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className="breakable">
              {value}
            </Text>
          </div>
        ))}
    </dl>
  )
}
