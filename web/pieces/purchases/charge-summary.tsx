import type { ChargePreview } from '../../../contract/purchases.ts';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { formatDollars, formatUnitCost } from './money-words.ts';
import { SummaryLine, SummaryLines } from './summary-lines.tsx';

/** The charge line by line, and the total. */
export function ChargeLines({ preview, isTaxKnown }: { preview: ChargePreview; isTaxKnown: boolean }) {
  const { Amount, PartialCredit, MonthlyEnhancedAddOnChargesToPay: addOns, SalesTax, UnitCost } = preview;
  const isCredits = preview.ChargeType === 'CreditPurchase' && UnitCost !== null;
  return (
    <>
      <SummaryLines>
        {Amount > 0 && (
          <SummaryLine
            label={isCredits ? `${preview.Description} × ${formatUnitCost(UnitCost)}` : preview.Description}
            value={formatDollars(Amount)}
          />
        )}
        {PartialCredit > 0 && (
          <SummaryLine label="Credit for unused days" value={`−${formatDollars(PartialCredit)}`} />
        )}
        {addOns > 0 && <SummaryLine label="Enhanced text add-on charges" value={formatDollars(addOns)} />}
        {SalesTax.Amount > 0 && (
          <SummaryLine label={`Sales tax, ${SalesTax.Label}`} value={formatDollars(SalesTax.Amount)} />
        )}
        {!isTaxKnown && <SummaryLine label="Sales tax" value="by your address" />}
      </SummaryLines>
      <SummaryLines rule="solid">
        <SummaryLine label="Total" value={formatDollars(preview.TotalAmount)} isTotal />
      </SummaryLines>
    </>
  );
}

/** Under a plan's total: what it will be, and until when it is paid. */
export function PlanLines({ preview, endDate }: { preview: ChargePreview; endDate: string }) {
  const isLater = preview.TotalAmount === 0;
  return (
    <SummaryLines rule="dashed">
      <SummaryLine label="Group size" value={say(`Up to ${formatCount(preview.MaxPeople ?? 0)}`)} />
      <SummaryLine label="Monthly fee" value={formatDollars(preview.MonthlyFee ?? 0)} />
      <SummaryLine label={isLater ? 'Takes effect' : 'Renews'} value={endDate} />
    </SummaryLines>
  );
}
