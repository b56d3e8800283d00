-- The first rows of some uploads were kept with numbers that are none, and the list of uploads couldn't be sent. The files
-- themselves can be read: their first rows are not shown.
update file_uploads
set structure = jsonb_set(structure, '{Tabs}', (
  select jsonb_agg(tab || '{"Rows": []}') from jsonb_array_elements(structure -> 'Tabs') tab))
where jsonb_path_exists(structure, '$.Tabs[*].Rows[*].RowNumber ? (@.type() != "number" || @ > 2147483647 || @ < 0 || @ % 1 != 0)');
