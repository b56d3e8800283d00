-- Columns take the spelling that the rest of the code uses. Renaming touches the catalog only, not the rows.
alter table tags rename column colour to color;
alter table tags rename constraint tags_colour_check to tags_color_check;
alter table groups rename column colour to color;
alter table groups rename constraint groups_colour_check to groups_color_check;
alter table broadcasts rename column is_personalised to is_personalized;
