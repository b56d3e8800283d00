/** Stock exchanges where a publicly traded company can be listed. NONE is for companies that aren't. */
export const stockExchanges = [
  ...['NONE', 'NASDAQ', 'NYSE', 'AMEX', 'AMX', 'ASX', 'B3', 'BME', 'BSE', 'FRA', 'ICEX', 'JPX', 'JSE', 'KRX'],
  ...['LON', 'NSE', 'OMX', 'SEHK', 'SGX', 'SSE', 'STO', 'SWX', 'SZSE', 'TSX', 'TWSE', 'VSE', 'OTHER'],
] as const;

export function isStockExchange(text: string): boolean {
  return stockExchanges.some((exchange) => exchange === text);
}
