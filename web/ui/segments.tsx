import { useId } from 'react'
import styles from './segments.module.css'

interface Props<Value extends string> {
  readonly 'aria-label': string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly size?: 'sm' | 'xs'
  readonly className?: string
}

/** A choice between a few options, side by side. */
export function Segments<Value extends string>({
  value,
  onChange,
  options,
  size = 'sm',
  className = '',
  ...label
}: Props<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" className={`${styles['segments']} ${className}`} data-size={size} {...label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
