/** Where a publicly traded company is listed. NONE is for those that aren't. */
export const stockExchanges = [
  ...['NONE', 'NASDAQ', 'NYSE', 'AMEX', 'AMX', 'ASX', 'B3', 'BME', 'BSE', 'FRA', 'ICEX', 'JPX', 'JSE', 'KRX'],
  ...['LON', 'NSE', 'OMX', 'SEHK', 'SGX', 'SSE', 'STO', 'SWX', 'SZSE', 'TSX', 'TWSE', 'VSE', 'OTHER'],
] as const;

export function isStockExchange(text: string): boolean {
  return stockExchanges.some((exchange) => exchange === text);
}
