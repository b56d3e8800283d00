-- Finding conversations by date needs the feature ConversationDateRangeSearch from now on. Everybody could do it, so
-- every account keeps it, and new ones begin with it.
alter table accounts alter column features set default '{ConversationDateRangeSearch}';
update accounts set features = features || '{ConversationDateRangeSearch}'
where not features @> '{ConversationDateRangeSearch}';
