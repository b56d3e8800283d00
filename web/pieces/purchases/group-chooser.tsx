import { maxPeopleOf, type PricingTier } from '../../../contract/money/pricing.ts';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { formatDollars, groupSizeWords } from './money-words.ts';

interface GroupChooserProps {
  tiers: readonly PricingTier[];
  people: number;
  onChange: (people: number) => void;
}

/** Choice of the number of different people a month: the sizes that the price list has. */
export function GroupChooser({ tiers, people, onChange }: GroupChooserProps) {
  return (
    <Field label="Group size" help="How many different people you reach in a month.">
      {({ id, 'aria-describedby': describedBy }) => (
        <Choice
          id={id}
          describedBy={describedBy}
          value={String(maxPeopleOf(tiers, people) ?? '')}
          choices={tiers.map((tier) => ({
            value: String(tier.UpperLimit ?? tier.LowerLimit),
            label: `${groupSizeWords(tier)}, ${formatDollars(tier.Cost)} a month`,
          }))}
          onChange={(value) => onChange(Number(value))}
        />
      )}
    </Field>
  );
}
